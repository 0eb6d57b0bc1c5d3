import ICONS from './icons.json' with { type: 'json' }

/** An icon of Lucide (https://lucide.dev, NOTICE); `npm run icons` adds one to icons.json. */
export type IconName = keyof typeof ICONS

/** Decoration beside a text that says the same: screen readers skip it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    width="18"
    height="18"
    aria-hidden="true"
    dangerouslySetInnerHTML={{ __html: ICONS[name] }}
  />
)
