import type { ComponentChildren } from 'preact'
import type { Account } from '../../accounts/account.ts'
import type { Support } from '../../mail/support.ts'
import { Layout } from '../layout.tsx'

interface ConfirmProps {
  account: Account
  support: Support
  title: string
  /** What follows from it. */
  children: ComponentChildren
  /** Where the button leads, and what it says. */
  action: string
  button: string
}

/** Asks once more before what cannot be taken back with a click; works without a script. */
export const confirmPage = ({ account, support, title, children, action, button }: ConfirmProps) => (
  <Layout title={title} visitor={account} support={support}>
    <div class="narrow">
      <header class="lead">
        <p class="overline">
          <a href="/cuenta">Mi cuenta</a>
        </p>
        <h1>{title}</h1>
      </header>
      {children}
      <form method="post" action={action} class="row">
        <button type="submit" class="danger">
          {button}
        </button>
        <a class="button secondary" href="/cuenta">
          No, volver
        </a>
      </form>
    </div>
  </Layout>
)
