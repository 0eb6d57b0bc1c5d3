import { runCallers } from '../support/example-callers.ts'
import { runListeners } from '../support/example-listeners.ts'

// Not part of `npm test`: each of its programs has to be compiled or starts slowly.
runCallers('java')
runListeners('java')
