/** XML that is well-formed because nothing but this file writes it. */
export interface Xml {
  readonly xml: string
}

/** An element: its attributes, and text or other elements within; what is undefined is left out. */
export function element(
  name: string,
  attributes: Record<string, string | number>,
  within: string | number | (Xml | undefined)[],
): Xml {
  const inner = Array.isArray(within) ? within.map((each) => each?.xml ?? '').join('') : escaped(String(within))
  const outer = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
  return { xml: `<${name}${outer.join('')}>${inner}</${name}>` }
}

/** What XML 1.0 has no way to write, not even escaped (2.2, "Characters"): it becomes a space. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

const escaped = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(UNWRITABLE, ' ')
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
