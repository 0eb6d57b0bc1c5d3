/** The languages of the examples: what they are called, and what a reader needs to run one. */
export const LANGUAGES = {
  curl: { title: 'curl', needs: 'bash, curl, openssl y jq' },
  typescript: { title: 'TypeScript', needs: 'Node 22.18 o posterior, sin dependencias; con Node 20: npx tsx' },
  python: { title: 'Python', needs: 'Python 3.9 o posterior, sin dependencias' },
  php: { title: 'PHP', needs: 'PHP 8.1 o posterior, con su extensión curl' },
  csharp: { title: 'C#', needs: '.NET 8, sin dependencias' },
} as const

export type Language = keyof typeof LANGUAGES

export const FIRST: Language = 'curl'

export const languages = Object.keys(LANGUAGES) as Language[]

export const isLanguage = (name: unknown): name is Language =>
  typeof name === 'string' && Object.hasOwn(LANGUAGES, name)

const COOKIE = 'lenguaje'
const A_YEAR_SECONDS = 31_536_000

/** The language chosen last in this browser. */
export function rememberedLanguage(cookies = ''): Language | undefined {
  const name = new RegExp(`(?:^|;\\s*)${COOKIE}=(\\w+)`).exec(cookies)?.[1]
  return isLanguage(name) ? name : undefined
}

/** Has the browser keep a choice. It tells of the reader nothing but that, and goes to the documentation alone. */
export const languageCookie = (language: Language): string =>
  `${COOKIE}=${language}; Path=/docs; HttpOnly; SameSite=Lax; Max-Age=${A_YEAR_SECONDS}`
