/** One line as people mean it: no spaces around it or runs of them inside; null where nothing is left. */
export const tidy = (text: string | null | undefined): string | null => text?.replace(/\s+/g, ' ').trim() || null
