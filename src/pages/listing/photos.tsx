/** Photos side by side, moved by a finger, a wheel or the keyboard; without any, the place they would have. */
export function Photos({ fotos, name }: { fotos: string[]; name: string }) {
  if (fotos.length === 0)
    return (
      <div class="photos none">
        <p>Sin fotos por ahora</p>
      </div>
    )
  return (
    <div class="photos">
      {/* It scrolls, so the keyboard must reach it. */}
      <ul tabindex={0} aria-label={`Fotos de ${name}`}>
        {fotos.map((href, at) => (
          <li key={href}>
            <img
              src={href}
              alt={`${name}, foto ${at + 1} de ${fotos.length}`}
              referrerpolicy="no-referrer"
              decoding="async"
              loading={at === 0 ? 'eager' : 'lazy'}
            />
          </li>
        ))}
      </ul>
      {fotos.length > 1 && <p class="hint">{fotos.length} fotos: deslice para ver más.</p>}
    </div>
  )
}
