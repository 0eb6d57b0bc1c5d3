import type { Contents } from './letter.ts'

/** The letter with its one-time links made useless; everything else stays, for whoever asks later what was sent. */
export function redact({ oneTimeUrls = [], ...contents }: Contents): Contents {
  const clean = (words: string) =>
    oneTimeUrls.reduce((text, url) => text.replaceAll(url, useless(url)).replaceAll(escaped(url), useless(url)), words)
  return { ...contents, text: clean(contents.text), html: clean(contents.html) }
}

const useless = (url: string) => url.replace(/[^/]*$/, '…')
const escaped = (url: string) => url.replaceAll('&', '&amp;')
