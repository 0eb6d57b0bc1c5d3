import { runExamples } from '../../../../tests/support/examples.ts'

runExamples('csharp')
