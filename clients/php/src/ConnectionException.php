<?php

namespace Rodado;

/** No complete response: a network error or a timeout. A change may have been done: read it before you repeat it. */
class ConnectionException extends RodadoException
{
}
