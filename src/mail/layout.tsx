import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { type Brand, imagePath } from '../brand/brand.ts'
import type { Accent } from '../brand/colour.ts'
import { currentLocale } from '../i18n/locale.ts'
import { t } from '../i18n/messages.tsx'
import { type Block, type ChangeRow, type EmailContent, footerBlocks, plainLine, plainText } from './content.ts'
import type { Email } from './email.ts'

/** Renders an email as text and HTML. Text from others is made harmless here, so that no email can forget to. */
export function renderEmail(content: EmailContent): Email {
  const { subject, title, preview, blocks, footer: _, brand, ...email } = content
  const accent = brand.accent ?? OUR_ACCENT
  const asHtml = (block: Block) => htmlOf(block, accent.claro.accent, P)
  const asFooter = (block: Block) => htmlOf(block, accent.claro.accent, SMALL)
  const footer = footerBlocks(content)
  const text = [plainLine(title), ...blocks.map(asText), '-- ', ...footer.map(asText)].join('\n\n')
  const html = renderToString(
    <Layout
      title={plainLine(title)}
      preview={plainLine(preview)}
      head={<Masthead brand={brand} accent={accent} />}
      accent={accent}
      footer={footer.map(asFooter)}
    >
      {blocks.map(asHtml)}
    </Layout>,
  )
  return { ...email, subject: plainLine(subject), text: `${text}\n`, html: `<!doctype html>\n${html}\n` }
}

function asText(block: Block): string {
  if ('words' in block) return plainLine(block.words)
  if ('heading' in block) return plainLine(block.heading)
  if ('note' in block) return plainLine(block.note)
  if ('list' in block) return block.list.map((item) => `  - ${plainLine(item)}`).join('\n')
  if ('call' in block) return `    ${block.call}`
  if ('quote' in block) return `${plainLine(block.by)}\n\n${plainText(block.quote).replace(/^/gm, '> ')}`
  if ('changes' in block)
    return block.changes
      .map(({ campo, antes, despues }) => {
        const [was, is] = [antes, despues].map((value) => plainLine(value || t('correo.empty')))
        return `  ${plainLine(campo)}\n    ${t('correo.before')} ${was}\n    ${t('correo.after')} ${is}`
      })
      .join('\n\n')
  if ('button' in block) return `${plainLine(block.button)}:\n${block.url}`
  return `${plainLine(block.link)}: ${block.url.replace(/^mailto:/, '')}`
}

const P = `margin:0 0 16px;font-size:16px;line-height:1.55`
const H2 = `margin:22px 0 10px;font-size:17px;line-height:1.35;font-weight:700`
const SMALL = `margin:0 0 10px;font-size:14px;line-height:1.5;color:#57636a`
const LIST = `margin:0 0 16px;padding:0 0 0 22px;font-size:16px;line-height:1.5`
const CODE = `font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;word-break:break-all`
const linkIn = (accent: string) => `color:${accent};text-decoration:underline`
const CELL = `padding:10px 12px 10px 0;font-size:15px;line-height:1.45;vertical-align:top;text-align:left;border-top:1px solid #dfe2dc`

/** A block as HTML, `link` being the style of a paragraph that is a link. Preact escapes the text. */
function htmlOf(block: Block, accent: string, link: string): VNode {
  if ('words' in block) return <p style={P}>{plainLine(block.words)}</p>
  if ('heading' in block) return <h2 style={H2}>{plainLine(block.heading)}</h2>
  if ('note' in block)
    return (
      <p class="soft" style={SMALL}>
        {plainLine(block.note)}
      </p>
    )
  if ('list' in block)
    return (
      <ul style={LIST}>
        {block.list.map((item) => (
          <li style="margin:0 0 6px" key={item}>
            {plainLine(item)}
          </li>
        ))}
      </ul>
    )
  if ('call' in block)
    return (
      <p style={P}>
        <code style={CODE}>{block.call}</code>
      </p>
    )
  if ('quote' in block)
    return <Quote by={plainLine(block.by)} lines={plainText(block.quote).split('\n')} accent={accent} />
  if ('changes' in block) return <Changes rows={block.changes} />
  if ('button' in block) return <Button label={plainLine(block.button)} url={block.url} accent={accent} />
  return (
    <p style={link}>
      <a class="link" href={block.url} style={linkIn(accent)}>
        {plainLine(block.link)}
      </a>
    </p>
  )
}

const Button = ({ label, url, accent }: { label: string; url: string; accent: string }) => (
  <>
    <table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 18px">
      <tbody>
        <tr>
          <td class="press" style={`background-color:${accent};border-radius:6px`}>
            <a
              href={url}
              style={`display:inline-block;padding:13px 26px;font-size:17px;font-weight:600;line-height:1.2;text-align:center;color:#ffffff;background-color:${accent};text-decoration:none;border-radius:6px;${FONT}`}
            >
              {label}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
    <p class="soft" style={SMALL}>
      {t('correo.buttonFallback')}
      <br />
      <a class="link" href={url} style={`${linkIn(accent)};word-break:break-all`}>
        {url}
      </a>
    </p>
  </>
)

const Quote = ({ by, lines, accent }: { by: string; lines: string[]; accent: string }) => (
  <>
    <p style="margin:0 0 8px;font-size:16px;line-height:1.55">{by}</p>
    <blockquote
      class="quote"
      style={`margin:0 0 18px;padding:12px 16px;background-color:#f3f4f0;border-left:4px solid ${accent};color:#1c2326;font-size:16px;line-height:1.5;word-break:break-word`}
    >
      {lines.map((line, at) => [at > 0 && <br />, line])}
    </blockquote>
  </>
)

/** The old value above the new one, so that long values fit on a phone. */
const Changes = ({ rows }: { rows: ChangeRow[] }) => (
  <table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-collapse:collapse">
    <tbody>
      {rows.map(({ campo, antes, despues }) => (
        <tr key={campo}>
          <th scope="row" class="line" style={`${CELL};width:30%;font-weight:600`}>
            {plainLine(campo)}
          </th>
          <td class="line" style={`${CELL};word-break:break-word`}>
            <span class="soft" style="color:#57636a">
              {t('correo.Before')} {plainLine(antes || t('correo.empty'))}
            </span>
            <br />
            {t('correo.After')} {plainLine(despues || t('correo.empty'))}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

/** The colours of the stylesheet of our pages. */
const OUR_ACCENT: Accent = {
  claro: { accent: '#0b6b5d', onAccent: '#ffffff', mark: '#e6f3ef' },
  oscuro: { accent: '#62cbb8', onAccent: '#0c2723', mark: '#17322e' },
}

/** For mail programs with a dark mode; the others use the inline colours. */
const darkStyles = ({ accent, onAccent }: Accent['oscuro']) => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.inside{padding:24px 20px!important}}
@media (prefers-color-scheme:dark){
.ground{background-color:#0f1315!important}
.card{background-color:#1a2023!important;border-color:#2a3336!important;border-top-color:${accent}!important}
.ink{color:#e6eae9!important}
.soft{color:#9eabae!important}
.link{color:${accent}!important}
.quote{background-color:#14191b!important;border-color:${accent}!important;color:#e6eae9!important}
.line{border-color:#2a3336!important}
.press{background-color:${accent}!important}
.press a{background-color:${accent}!important;border-color:${accent}!important;color:${onAccent}!important}
.on-light{display:none!important}
.on-dark{display:inline-block!important;max-height:none!important}
}`

const LOGO_HEIGHT = 36 // pixels

/** The logo, which names the marketplace where images are not loaded; or its name. */
function Masthead({ brand, accent }: { brand: Brand; accent: Accent }) {
  const { logo, logoOscuro } = brand.images
  const text = `font-size:20px;font-weight:700;color:${accent.claro.accent};${FONT}`
  if (!logo)
    return (
      <span class="link" style={text}>
        {plainLine(brand.nombre)}
      </span>
    )
  const image = (shown: typeof logo, look: { class?: string; hidden?: boolean }) => (
    <img
      class={look.class}
      src={`${brand.publicUrl}${imagePath(shown)}`}
      alt={plainLine(brand.nombre)}
      width={Math.round((shown.ancho * LOGO_HEIGHT) / shown.alto)}
      height={LOGO_HEIGHT}
      style={`${look.hidden ? 'display:none;max-height:0;mso-hide:all' : 'display:inline-block'};border:0;${text}`}
    />
  )
  if (!logoOscuro) return image(logo, {})
  return (
    <>
      {image(logo, { class: 'on-light' })}
      {image(logoOscuro, { class: 'on-dark', hidden: true })}
    </>
  )
}

const LAYOUT = { role: 'presentation', width: '100%', cellpadding: '0', cellspacing: '0' } as const

interface LayoutProps {
  title: string
  preview: string
  head: ComponentChildren
  accent: Accent
  footer: ComponentChildren
  children: ComponentChildren
}

/** Tables and inline styles look the same in every mail program; `role="presentation"` hides the tables from screen readers. */
const Layout = ({ title, preview, head, accent, footer, children }: LayoutProps) => (
  <html lang={currentLocale()}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
      <title>{title}</title>
      <style dangerouslySetInnerHTML={{ __html: darkStyles(accent.oscuro) }} />
    </head>
    <body class="ground" style={`margin:0;padding:0;background-color:#f3f4f0;-webkit-text-size-adjust:100%;${FONT}`}>
      <div style="display:none;max-height:0;overflow:hidden;mso-hide:all">{preview}</div>
      <table {...LAYOUT} class="ground" style="background-color:#f3f4f0">
        <tbody>
          <tr>
            <td align="center" style="padding:28px 12px">
              <table {...LAYOUT} style="max-width:580px">
                <tbody>
                  <tr>
                    <td class="link" style={`padding:0 8px 14px;${FONT}`}>
                      {head}
                    </td>
                  </tr>
                  <tr>
                    <td
                      class="card inside ink"
                      style={`padding:34px 38px 26px;background-color:#ffffff;border:1px solid #dfe2dc;border-top:4px solid ${accent.claro.accent};border-radius:8px;color:#1c2326;${FONT}`}
                    >
                      <h1 style="margin:0 0 18px;font-size:23px;line-height:1.3;font-weight:700">{title}</h1>
                      {children}
                    </td>
                  </tr>
                  <tr>
                    <td style={`padding:20px 8px 0;${FONT}`}>{footer}</td>
                  </tr>
                </tbody>
              </table>
            </td>
          </tr>
        </tbody>
      </table>
    </body>
  </html>
)
