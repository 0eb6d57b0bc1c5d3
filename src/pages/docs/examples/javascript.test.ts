import { runCallers } from '../../../../tests/support/example-callers.ts'

runCallers('javascript')
