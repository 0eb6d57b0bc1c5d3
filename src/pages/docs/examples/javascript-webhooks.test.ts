import { runListeners } from '../../../../tests/support/example-listeners.ts'

runListeners('javascript')
