<?php

namespace Rodado;

/** Any error of a call. */
class RodadoException extends \RuntimeException
{
}
