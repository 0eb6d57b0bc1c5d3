import silhouettes from './data/silhouettes.json' with { type: 'json' }

/** A car from its side, looking left: the catalogue's body styles that it stands for, its outline, glass and wheels. */
export interface Silhouette {
  styles: string[]
  body: string
  glass: string
  wheels: number[]
}

/** Trailers, buggies and quads have none, because any outline would mislead. */
export const SILHOUETTES: readonly Silhouette[] = silhouettes
