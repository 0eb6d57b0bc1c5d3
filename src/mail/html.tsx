import type { VNode } from 'preact'
import { FONT } from './paper.tsx'
import { plainLine, plainText } from './plain.ts'
import { type Block, type Change, EMPTY } from './sheet.ts'

const P = `margin:0 0 16px;font-size:16px;line-height:1.55`
const H2 = `margin:22px 0 10px;font-size:17px;line-height:1.35;font-weight:700`
const SMALL = `margin:0 0 10px;font-size:14px;line-height:1.5;color:#57636a`
const LIST = `margin:0 0 16px;padding:0 0 0 22px;font-size:16px;line-height:1.5`
const CODE = `font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;word-break:break-all`
const LINK = `color:#0b6b5d;text-decoration:underline`
const CELL = `padding:10px 12px 10px 0;font-size:15px;line-height:1.45;vertical-align:top;text-align:left;border-top:1px solid #dfe2dc`

/** A block as HTML; what stands in an element's text is escaped. */
export function asHtml(block: Block): VNode {
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
  if ('quote' in block) return <Quote by={plainLine(block.by)} lines={plainText(block.quote).split('\n')} />
  if ('changes' in block) return <Changes rows={block.changes} />
  if ('button' in block) return <Button label={plainLine(block.button)} url={block.url} />
  return (
    <p class="soft" style={SMALL}>
      <a class="link" href={block.url} style={LINK}>
        {plainLine(block.link)}
      </a>
    </p>
  )
}

const Button = ({ label, url }: { label: string; url: string }) => (
  <>
    <table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 18px">
      <tbody>
        <tr>
          <td class="press" style="background-color:#0b6b5d;border-radius:6px">
            <a
              href={url}
              style={`display:inline-block;padding:13px 26px;font-size:17px;font-weight:600;line-height:1.2;color:#ffffff;background-color:#0b6b5d;text-decoration:none;border-radius:6px;${FONT}`}
            >
              {label}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
    <p class="soft" style={SMALL}>
      Si el botón no funciona, copie esta dirección en su navegador:
      <br />
      <a class="link" href={url} style={`${LINK};word-break:break-all`}>
        {url}
      </a>
    </p>
  </>
)

const Quote = ({ by, lines }: { by: string; lines: string[] }) => (
  <>
    <p style="margin:0 0 8px;font-size:16px;line-height:1.55">{by}</p>
    <blockquote
      class="quote"
      style="margin:0 0 18px;padding:12px 16px;background-color:#f3f4f0;border-left:4px solid #0b6b5d;color:#1c2326;font-size:16px;line-height:1.5;word-break:break-word"
    >
      {lines.map((line, at) => [at > 0 && <br />, line])}
    </blockquote>
  </>
)

/** Old and new stand one over the other, so that long values fit on a telephone. */
const Changes = ({ rows }: { rows: Change[] }) => (
  <table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-collapse:collapse">
    <tbody>
      {rows.map(({ campo, antes, despues }) => (
        <tr key={campo}>
          <th scope="row" class="line" style={`${CELL};width:30%;font-weight:600`}>
            {plainLine(campo)}
          </th>
          <td class="line" style={`${CELL};word-break:break-word`}>
            <span class="soft" style="color:#57636a">
              Antes: {plainLine(antes || EMPTY)}
            </span>
            <br />
            Ahora: {plainLine(despues || EMPTY)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
