// A Fastify with nothing in it: `empty-fastify.js PORT`. What any server built on it needs to start.
import Fastify from 'fastify'

const app = Fastify()
app.get('/health/ready', () => ({ status: 'ready' }))
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
process.once('SIGTERM', () => app.close())
