import Type from 'typebox'

export const EntryPoints = Type.Object({ _links: Type.Ref('Links') }, { $id: 'EntryPoints' })
