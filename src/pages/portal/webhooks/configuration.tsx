import { masked } from '../../../resources/appnotificaciones/represent.ts'
import { Moment } from '../../moment.tsx'
import type { StateProps } from './state.tsx'

/** What a webhook is: where it goes, how it is signed, what it carries. */
export const Configuration = ({ ctx, webhook, visibility }: Omit<StateProps, 'available'>) => (
  <dl class="data">
    <div>
      <dt>Dirección</dt>
      <dd>
        <code>{webhook.callback}</code>
      </dd>
    </div>
    {webhook.description && (
      <div>
        <dt>Nota</dt>
        <dd>{webhook.description}</dd>
      </div>
    )}
    <div>
      <dt>Secret</dt>
      <dd>
        {webhook.secretHint === null ? (
          <>
            <span class="badge warning">sin firma</span> Su servidor no puede saber si una notificación es nuestra.
          </>
        ) : (
          <>
            <code>{masked(webhook)}</code>
            {visibility.formerSecretUntil && (
              <>
                {' '}
                El anterior firma también hasta <Moment at={visibility.formerSecretUntil} when={ctx} />.
              </>
            )}
          </>
        )}
      </dd>
    </div>
    {webhook.headers.some((header) => header !== null) && (
      <div>
        <dt>Encabezados propios</dt>
        <dd>
          {webhook.headers.map(
            (header) =>
              header && (
                <span key={header.Name}>
                  <code>{header.Name}</code>{' '}
                </span>
              ),
          )}
        </dd>
      </div>
    )}
  </dl>
)
