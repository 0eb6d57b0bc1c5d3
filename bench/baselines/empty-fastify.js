// An empty Fastify server: `empty-fastify.js PORT`.
import Fastify from 'fastify'

const app = Fastify()
app.get('/health/ready', () => ({ status: 'ready' }))
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
process.once('SIGTERM', () => app.close())
