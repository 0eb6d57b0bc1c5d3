import { type Brand, type BrandSettings, defaultBrand } from '../../src/brand/brand.ts'

/** The brand of a marketplace that has set nothing but these settings. */
export const brandWith = (settings: Partial<BrandSettings> = {}): Brand =>
  defaultBrand({ publicUrl: 'https://rodado.test', ...settings }).current()
