import { testRules } from '../test-rules.ts'
import { ROLLING } from './verdict.ts'

const good = { balancer: 'haproxy', restarts: 80, calls: 90_000, failed: 0, first: '' }

testRules('rolling: rules', ROLLING, {
  good: { behind: [good, { ...good, balancer: 'nginx' }], expected: 80 },
  nothing: { behind: [{ ...good, calls: 0, restarts: 0 }], expected: 80 },
  bad: [
    ['there was no balancer', { behind: [] }, /no balancer/],
    ['no call was sent', { behind: [good, { ...good, balancer: 'nginx', calls: 0 }] }, /no call .* nginx/],
    ['a process was not restarted', { behind: [{ ...good, restarts: 79 }] }, /79 of 80 restarts .* haproxy/],
    ['a call failed', { behind: [{ ...good, failed: 1, first: '502' }] }, /1 of 90000 calls .* first: 502/],
  ],
})
