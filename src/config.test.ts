import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type ConfigError, readConfig, s3Endpoint } from './config.ts'

const KEY = 'ab'.repeat(32)

describe('configuration', () => {
  it('is complete without a single variable', () => {
    const config = readConfig({})
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.port, 3000)
    assert.equal(config.publicUrl, 'http://127.0.0.1:3000')
    assert.equal(config.timeZone, 'America/Argentina/Buenos_Aires')
    assert.equal(config.vendor, 'service')
    assert.equal(config.signaturePrefix, 'SVC')
    assert.deepEqual(
      [config.ratePerSecond, config.rateBurst, config.invitesPerDay, config.retentionDays],
      [50, 200, 200, 365],
    )
    assert.match(config.dataDir, /\/data$/)
  })

  it('names every fault at once, with the variable and what is allowed', () => {
    assert.throws(
      () =>
        readConfig({
          PORT: 'eighty',
          COUNTRY: 'XX',
          TIME_ZONE: 'Mars/Olympus',
          TRUST_PROXY: '10.0.0.0/40',
          ROLE: 'boss',
        }),
      (error: ConfigError) => {
        assert.equal(error.faults.length, 5)
        assert.match(error.message, /PORT must be a whole number from 0 to 65535; "eighty" is not/)
        assert.match(error.message, /COUNTRY must be one of AR, BO, BR, CL,/)
        assert.match(error.message, /TIME_ZONE must be an IANA time zone/)
        assert.match(error.message, /TRUST_PROXY must be a comma-separated list/)
        assert.match(error.message, /ROLE must be one of all, api, worker/)
        return true
      },
    )
  })

  it('asks for MASTER_KEY with DATABASE_URL, and never repeats a secret in a fault', () => {
    assert.throws(
      () => readConfig({ DATABASE_URL: 'postgres://u:hush@h/db' }),
      /MASTER_KEY is required with DATABASE_URL/,
    )
    const faulty = { DATABASE_URL: 'mysql://u:hush@h/db', MASTER_KEY: 'hush' }
    assert.throws(
      () => readConfig(faulty),
      (error: ConfigError) => error.faults.length === 2 && !error.message.includes('hush'),
    )
    assert.equal(readConfig({ DATABASE_URL: 'postgres://h/db', MASTER_KEY: KEY }).masterKey?.length, 32)
  })

  it('takes addresses that can be read, whatever a password contains, and never repeats it', () => {
    const unread = {
      DATABASE_URL: 'postgres://u:hu/sh@h/db',
      DATABASE_DIRECT_URL: 'postgres://u:hu#sh@a,b/db',
      DATABASE_REPLICA_URLS: 'postgres://u:hush@h:five/db',
      SMTP_URL: 'smtp://u%:41hush@h',
      BOUNCE_IMAP_URL: 'imaps://u:hush%zz@h/INBOX',
      PHOTOS_URL: 's3://KEY:hush%@h/bucket',
    }
    assert.throws(
      () => readConfig({ ...unread, MASTER_KEY: KEY }),
      ({ faults, message }: ConfigError) => {
        assert.deepEqual(
          faults.map((fault) => fault.split(' ')[0]).filter((name) => name && name in unread),
          ['DATABASE_REPLICA_URLS', 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'PHOTOS_URL', 'SMTP_URL', 'BOUNCE_IMAP_URL'],
        )
        return !message.includes('hush')
      },
    )
    for (const DATABASE_URL of [
      'postgres:///db?host=/run/postgresql',
      'postgres://u@/db?host=a,b&port=1,2',
      'postgres://u:a,b%2F@h/db',
      'postgres://u:p%@[::1]:5432,[::2]:5432/db?sslmode=verify-full',
      'postgresql://%2Frun%2Fpostgresql/db',
      'postgres://u:p@a:5432,b?target_session_attrs=read-write',
    ])
      assert.equal(readConfig({ DATABASE_URL, MASTER_KEY: KEY }).databaseUrl, DATABASE_URL)
  })

  it('takes replicas of DATABASE_URL only, and never repeats their passwords', () => {
    const primary = { DATABASE_URL: 'postgres://h/db', MASTER_KEY: KEY }
    const urls = ['postgres://a/db', 'postgresql://u:p@b:5433/db']
    const read = readConfig({ ...primary, DATABASE_REPLICA_URLS: urls.join(', ') })
    assert.deepEqual([read.databaseReplicaUrls, read.replicaMaxLag], [urls, 2])
    assert.throws(() => readConfig({ DATABASE_REPLICA_URLS: urls[0] }), /DATABASE_REPLICA_URLS needs DATABASE_URL/)
    assert.throws(
      () => readConfig({ ...primary, DATABASE_REPLICA_URLS: 'mysql://u:hush@a/db', REPLICA_MAX_LAG: '0' }),
      (error: ConfigError) => error.faults.length === 2 && !error.message.includes('hush'),
    )
  })

  it('reads every secret from the file that NAME_FILE names', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'rodado-config-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const config = readConfig({
      DATABASE_URL_FILE: file('database', 'postgres://u:hush@h/db\n'),
      MASTER_KEY_FILE: file('key', `${KEY}\n`),
      SMTP_URL_FILE: file('smtp', 'smtp://u:hush@h'),
      METRICS_TOKEN_FILE: file('metrics', 'hush-hush-hush-hush'),
      RODADO_APP_SECRET_FILE: file('secret', 'hush'),
    })
    assert.deepEqual(
      [config.databaseUrl, config.smtpUrl, config.metricsToken, config.rodadoAppSecret, config.masterKey?.length],
      ['postgres://u:hush@h/db', 'smtp://u:hush@h', 'hush-hush-hush-hush', 'hush', 32],
    )
    const faulty = {
      DATABASE_URL: 'postgres://h/db',
      MASTER_KEY_FILE: join(folder, 'none'),
      SMTP_URL: 'smtp://h',
      SMTP_URL_FILE: file('smtp', 'smtp://h'),
      METRICS_TOKEN_FILE: file('empty', '\n'),
      RODADO_APP_SECRET_FILE: folder,
    }
    assert.throws(
      () => readConfig(faulty),
      ({ faults }: ConfigError) => {
        assert.deepEqual(
          faults.map((fault) => fault.replace(/: .*/, '')),
          [
            'MASTER_KEY_FILE cannot be read',
            'SMTP_URL and SMTP_URL_FILE are both set. Set one of them.',
            'METRICS_TOKEN_FILE names an empty file',
            'RODADO_APP_SECRET_FILE cannot be read',
          ],
        )
        return true
      },
    )
  })

  it('migrates at start on the embedded store only, unless AUTO_MIGRATE says otherwise', () => {
    const own = { DATABASE_URL: 'postgres://h/db', MASTER_KEY: KEY }
    assert.deepEqual([readConfig({}).autoMigrate, readConfig(own).autoMigrate], [true, false])
    assert.equal(readConfig({ ...own, AUTO_MIGRATE: 'si' }).autoMigrate, true)
    assert.equal(readConfig({ AUTO_MIGRATE: 'no' }).autoMigrate, false)
  })

  it('takes the settings of the pool, and a direct address only beside a pooled one', () => {
    const { pgPool, pgStatementTimeout, pgLockTimeout } = readConfig({})
    assert.deepEqual([pgPool, pgStatementTimeout, pgLockTimeout], [20, 30, 10])
    assert.throws(() => readConfig({ PG_POOL: '1' }), /PG_POOL must be a whole number from 2/)
    assert.throws(
      () => readConfig({ DATABASE_DIRECT_URL: 'postgres://u:hush@h/db' }),
      /^(?!.*hush).*needs DATABASE_URL/s,
    )
  })

  it('takes a master key as hex or base64 of 32 bytes', () => {
    const hex = readConfig({ MASTER_KEY: KEY }).masterKey
    assert.deepEqual(readConfig({ MASTER_KEY: Buffer.from(KEY, 'hex').toString('base64') }).masterKey, hex)
    assert.throws(() => readConfig({ MASTER_KEY: 'c2hvcnQ=' }), /MASTER_KEY must be 32 bytes/)
  })

  it('takes a public address without a path only, because links are made from it', () => {
    assert.equal(readConfig({ PUBLIC_URL: 'https://api.example.test/' }).publicUrl, 'https://api.example.test')
    assert.throws(() => readConfig({ PUBLIC_URL: 'https://api.example.test/base' }), /PUBLIC_URL/)
    assert.throws(() => readConfig({ PUBLIC_URL: 'ftp://api.example.test' }), /PUBLIC_URL/)
  })

  it('treats a blank variable as absent, and an IPv6 host as one', () => {
    assert.equal(readConfig({ PORT: ' ', HOST: '::1' }).publicUrl, 'http://[::1]:3000')
    assert.equal(readConfig({ HOST: '0.0.0.0' }).publicUrl, 'http://localhost:3000')
  })

  it('takes private callbacks as ranges, each with a port or for all ports', () => {
    const ranges = ['10.0.0.0/8', '10.1.2.3:8443', '10.0.0.0/8:443', 'fd00::/8', 'fd00::1', '[fd00::/8]:8080']
    const read = (value: string) => readConfig({ ALLOW_PRIVATE_CALLBACKS: value }).allowPrivateCallbacks
    assert.deepEqual(read(ranges.join(', ')), ranges)
    for (const wrong of [
      '10.0.0.0/8:0',
      '10.0.0.0/8:70000',
      '[10.0.0.0/8]:80',
      '[fd00::/8]',
      'fd00::/8:80',
      'x:80',
      ':80',
    ])
      assert.throws(() => read(wrong), /ALLOW_PRIVATE_CALLBACKS must be .*10\.1\.2\.3:8443/, wrong)
  })

  it('keeps metrics on this machine unless METRICS_HOST says otherwise, and takes no short token', () => {
    assert.equal(readConfig({ HOST: '0.0.0.0', METRICS_PORT: '9100' }).metricsHost, '127.0.0.1')
    assert.throws(
      () => readConfig({ METRICS_TOKEN: 'hush' }),
      ({ message }: ConfigError) => /METRICS_TOKEN must be at least 16/.test(message) && !message.includes('hush'),
    )
  })

  it('takes ?tls=opcional of SMTP_URL and no other word there', () => {
    assert.ok(readConfig({ SMTP_URL: 'smtp://mail.test?tls=opcional' }).smtpUrl)
    for (const option of ['tls=optional', 'tls=', 'ignoreTLS=true', 'requireTLS=false', 'opportunisticTLS=true'])
      assert.throws(() => readConfig({ SMTP_URL: `smtp://mail.test?${option}` }), /SMTP_URL must be .*tls=opcional/)
  })

  it('takes an RSA key for DKIM, and no other kind, which would sign nothing', () => {
    const pem = ({ privateKey }: { privateKey: KeyObject }) =>
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const read = (DKIM_KEY: string) => readConfig({ DKIM_DOMAIN: 'mercado.test', DKIM_SELECTOR: 's1', DKIM_KEY })
    const key = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }))
    assert.deepEqual(read(key).dkim, { domain: 'mercado.test', selector: 's1', key: key.trim() })
    assert.throws(() => read(pem(generateKeyPairSync('ed25519'))), /DKIM_KEY must be an RSA private key/)
  })

  it('takes the settings of OIDC together, https, and two roles', () => {
    const OIDC = {
      OIDC_ISSUER: 'https://login.test/realms/a',
      OIDC_CLIENT_ID: 'rodado',
      OIDC_CLIENT_SECRET: 'hush-hush',
      OIDC_GROUPS: 'admins=personal, a=b=lectura',
    }
    assert.deepEqual(readConfig(OIDC).oidc?.groups, [
      { group: 'admins', rol: 'personal' },
      { group: 'a=b', rol: 'lectura' },
    ])
    assert.equal(readConfig({}).oidc, undefined)
    assert.throws(() => readConfig({ ...OIDC, OIDC_CLIENT_SECRET: '' }), /are set together/)
    assert.throws(() => readConfig({ ...OIDC, OIDC_ISSUER: 'http://login.test' }), /OIDC_ISSUER must be an https/)
    assert.throws(() => readConfig({ ...OIDC, OIDC_GROUPS: 'admins' }), /OIDC_GROUPS must be/)
    assert.throws(() => readConfig({ ...OIDC, OIDC_GROUPS: 'admins=todo' }), /OIDC_GROUPS must be/)
  })

  it('takes a folder or a bucket for photos, and names neither key nor secret', () => {
    const bucket = 's3://KEY:hush-hush@s3.test/photos/rodado?region=eu-west-1&tls=no'
    for (const url of ['file:///srv/photos', bucket]) assert.equal(readConfig({ PHOTOS_URL: url }).photosUrl, url)
    assert.equal(s3Endpoint(bucket).href, 'http://s3.test/photos/rodado')
    for (const url of ['/srv/photos', 's3://s3.test/photos', 's3://KEY:hush-hush@s3.test', `${bucket}&acl=public`])
      assert.throws(() => readConfig({ PHOTOS_URL: url }), /^(?!.*hush-hush)[\s\S]*PHOTOS_URL must be/)
  })

  it('has every setting in packaging/rodado.env, which Debian package and containers use', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
    const names = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name))
    const settings = names(read('./config.ts'), /\b(?:read|whole|oneOf|matching|text|web)\('([A-Z_]+)'/g)
    assert.ok(settings.size > 25)
    assert.deepEqual([...names(read('../packaging/rodado.env'), /^#?([A-Z_]+)=/gm)].sort(), [...settings].sort())
  })
})
