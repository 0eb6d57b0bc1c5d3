<?php

namespace Rodado;

/** No complete response: a network error or a timeout. */
class ConnectionException extends RodadoException
{
}
