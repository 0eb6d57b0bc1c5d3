<?php

namespace Rodado;

use GuzzleHttp\Psr7\StreamDecoratorTrait;
use GuzzleHttp\Psr7\Utils;
use Psr\Http\Message\StreamInterface;

/** Stores a response up to a size: one that does not end must not fill the memory or the disk. */
final class BoundedBody implements StreamInterface
{
    use StreamDecoratorTrait;

    /** More than any response of the API, and less than a process can spare. */
    public const MAX_MB = 32;

    private StreamInterface $stream;
    private int $size = 0;

    public function __construct()
    {
        $this->stream = Utils::streamFor('');
    }

    /** Curl ends a transfer of which not everything is written. */
    public function write($string): int
    {
        $this->size += strlen($string);
        return $this->isFull() ? 0 : $this->stream->write($string);
    }

    public function isFull(): bool
    {
        return $this->size > self::MAX_MB * 1024 ** 2;
    }
}
