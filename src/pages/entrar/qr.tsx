import { encode } from 'uqr'

/** What a telephone's camera reads, drawn as one path: dark on light in the dark too, or no camera would read it. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path class="paper" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="ink" d={dots.join('')} />
    </svg>
  )
}
