import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../tests/support/free-port.ts'
import { type Defer, makeTempDir } from './cleanup.ts'
import { findProgram, startService } from './service.ts'

/** A load balancer in front of API nodes. */
interface Balancer {
  name: 'haproxy' | 'nginx'
  /** Starts it and returns its address. */
  start(defer: Defer, nodes: readonly string[]): Promise<string>
}

/** Starts HAProxy with a configuration that binds the port. */
export async function startHaproxy(defer: Defer, program: string, port: number, lines: string): Promise<void> {
  const file = join(makeTempDir(defer, 'haproxy'), 'haproxy.cfg')
  await writeFile(file, lines)
  await startService(defer, program, ['-db', '-f', file], { port })
}

/** Both balancers with the configuration that docs/many-nodes.md recommends; missing ones are named. */
export function findBalancers(): { found: Balancer[]; missing: string[] } {
  const [haproxy, nginx] = [findProgram('haproxy'), findProgram('nginx')]
  const found: Balancer[] = []
  if (haproxy)
    found.push({
      name: 'haproxy',
      async start(defer, nodes) {
        const port = await freePort()
        await startHaproxy(defer, haproxy, port, haproxyConfig(port, nodes.map(hostOf)))
        return `http://127.0.0.1:${port}`
      },
    })
  if (nginx)
    found.push({
      name: 'nginx',
      async start(defer, nodes) {
        const port = await freePort()
        const folder = makeTempDir(defer, 'nginx')
        await chmod(folder, 0o711)
        await mkdir(join(folder, 'logs'))
        const file = join(folder, 'nginx.conf')
        await writeFile(file, nginxConfig(port, nodes.map(hostOf)))
        await startService(defer, nginx, ['-p', folder, '-c', file, '-e', 'logs/error.log'], { port })
        return `http://127.0.0.1:${port}`
      },
    })
  const missing = [...(haproxy ? [] : ['haproxy']), ...(nginx ? [] : ['nginx'])]
  return { found, missing }
}

const hostOf = (url: string): string => new URL(url).host

const haproxyConfig = (port: number, hosts: string[]): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
frontend api
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  option httpchk GET /health/ready
  option redispatch
  default-server check inter 1s fall 2 rise 1
${hosts.map((host, at) => `  server node${at} ${host}`).join('\n')}
`

const nginxConfig = (port: number, hosts: string[]): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid logs/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path logs/body;
  proxy_temp_path logs/proxy;
  fastcgi_temp_path logs/fastcgi;
  uwsgi_temp_path logs/uwsgi;
  scgi_temp_path logs/scgi;
  upstream nodes {
${hosts.map((host) => `    server ${host} max_fails=1 fail_timeout=1s;`).join('\n')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://nodes;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_next_upstream error timeout non_idempotent;
    }
  }
}
`
