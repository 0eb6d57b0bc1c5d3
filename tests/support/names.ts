/** The names of a list's entries. */
export const namesOf = (list: { _entries: { Nombre: string }[] }): string[] => list._entries.map(({ Nombre }) => Nombre)

export const REF = 'application/vnd.service.ref+json'
