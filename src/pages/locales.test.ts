import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { TEXT_LOCALES } from './locales.ts'

/** The folders with the long texts of the docs. */
const FOLDERS = ['docs', 'docs/guide', 'problemas']

const at = (folder: string, locale: string, file = '') =>
  fileURLToPath(new URL(`./${folder}/${locale}/${file}`, import.meta.url))
const filesOf = (folder: string, locale: string) => readdirSync(at(folder, locale)).sort()

test('every long text exists in each language, with the same sections and the same placeholders', () => {
  for (const folder of FOLDERS)
    for (const locale of TEXT_LOCALES) {
      assert.deepEqual(filesOf(folder, locale), filesOf(folder, 'es'), `${folder}/${locale}`)
      for (const file of filesOf(folder, 'es'))
        for (const [what, pattern] of Object.entries({ sections: /\{#[\w-]+\}/g, placeholders: /\{\{.+?\}\}/g })) {
          const inLocale = (each: string) =>
            (readFileSync(at(folder, each, file), 'utf8').match(pattern) ?? [])
              .filter((name) => !isCaption(name))
              .sort()
          assert.deepEqual(inLocale(locale), inLocale('es'), `${folder}/${locale}/${file}: ${what}`)
        }
    }
})

/** A caption is itself a text. */
const isCaption = (placeholder: string) => placeholder.startsWith('{{caption ')
