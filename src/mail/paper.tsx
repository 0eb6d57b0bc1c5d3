import type { ComponentChildren } from 'preact'

export const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

/** Programs that know dark letters take these; the others keep the colours that stand in the elements. */
const DARK = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.inside{padding:24px 20px!important}}
@media (prefers-color-scheme:dark){
.ground{background-color:#0f1315!important}
.card{background-color:#1a2023!important;border-color:#2a3336!important;border-top-color:#62cbb8!important}
.ink{color:#e6eae9!important}
.soft{color:#9eabae!important}
.link{color:#62cbb8!important}
.quote{background-color:#14191b!important;border-color:#62cbb8!important;color:#e6eae9!important}
.line{border-color:#2a3336!important}
.press{background-color:#62cbb8!important}
.press a{background-color:#62cbb8!important;border-color:#62cbb8!important;color:#0c2723!important}
}`

const LAYOUT = { role: 'presentation', width: '100%', cellpadding: '0', cellspacing: '0' } as const

interface PaperProps {
  title: string
  preview: string
  footer: ComponentChildren
  children: ComponentChildren
}

/** Tables and styles in the elements: what every mail program shows alike. They are layout, and say so to readers aloud. */
export const Paper = ({ title, preview, footer, children }: PaperProps) => (
  <html lang="es">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
      <title>{title}</title>
      <style dangerouslySetInnerHTML={{ __html: DARK }} />
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
                    <td class="link" style={`padding:0 8px 14px;font-size:20px;font-weight:700;color:#0b6b5d;${FONT}`}>
                      Rodado
                    </td>
                  </tr>
                  <tr>
                    <td
                      class="card inside ink"
                      style={`padding:34px 38px 26px;background-color:#ffffff;border:1px solid #dfe2dc;border-top:4px solid #0b6b5d;border-radius:8px;color:#1c2326;${FONT}`}
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
