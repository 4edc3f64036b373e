import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { parse } from 'yaml';
import { z } from 'zod';
import { type ProgramName, variablesOf } from '../../../config/variables.ts';
import { ENTRY_POINTS } from '../../../scripts/package/entry-points.ts';
import { partsOf, provideComposeSecrets } from '../../../scripts/compose/secrets.ts';
import { CONFIG_READERS } from '../../support/config-readers.ts';

const serviceSchema = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  healthcheck: z.looseObject({}).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  user: z.string().optional(),
  deploy: z
    .object({ resources: z.object({ limits: z.object({ cpus: z.string().optional(), memory: z.string() }) }) })
    .optional(),
});
const composeSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.record(z.string(), z.unknown()),
});

/** The programs of the engine that run as services, by the names of the services. */
const PROGRAMS: Readonly<Record<string, ProgramName>> = {
  api: 'api',
  gateway: 'gateway',
  worker: 'worker',
  dashboard: 'dashboard',
  migrate: 'migrate',
  'simulator-alpha': 'simulator',
  'simulator-beta': 'simulator',
};

describe('the installation by compose', () => {
  const { services, volumes, networks } = composeSchema.parse(
    parse(withDefaults(readFileSync('compose.yaml', 'utf8')), { merge: true }),
  );
  const engine = Object.entries(services).filter(([, { image }]) => image.startsWith('payment-engine:'));
  let folder: string;
  let parts: Readonly<Record<string, string>>;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-compose-'));
    parts = partsOf(await provideComposeSecrets(path.join(folder, 'all', 'secrets.json')));
  });
  after(() => rm(folder, { recursive: true }));

  for (const [name, program] of Object.entries(PROGRAMS)) {
    it(`gives ${name} every setting that it needs, and none of another process`, () => {
      const service = services[name];
      assert.ok(service);
      const secrets = service.volumes.flatMap((volume) => /^secrets-(.+):\/secrets:ro$/.exec(volume)?.[1] ?? []);
      assert.equal(secrets.length, 1);
      // `tools` also has what other commands need.
      const text = parts[`${secrets[0]}/env`] ?? '';
      const settings = {
        ...(secrets[0] === 'tools' ? onlyOf(program, parseEnv(text)) : parseEnv(text)),
        ...service.environment,
      };
      for (const setting of Object.keys(settings)) {
        assert.ok(isRead(setting, program), `${setting} is none of ${program}`);
      }
      CONFIG_READERS[program](settings);
    });
  }

  it('names only what exists: programs, volumes, networks, files and services', () => {
    for (const [name, service] of Object.entries(services)) {
      const program = service.command?.find((word) => word.startsWith('dist/'));
      if (program !== undefined) assert.ok(ENTRY_POINTS.includes(program.slice(5, -3)), `${name}: ${program}`);
      for (const network of service.networks) assert.ok(network in networks, `${name}: ${network}`);
      for (const depended of Object.keys(service.depends_on)) assert.ok(depended in services, `${name}: ${depended}`);
      for (const volume of service.volumes) {
        const [source = ''] = volume.split(':');
        assert.ok(source.startsWith('.') ? existsSync(source) : source in volumes, `${name}: ${source}`);
      }
    }
  });

  it('waits for services that can say that they are ready', () => {
    for (const [name, { depends_on }] of Object.entries(services)) {
      for (const [depended, { condition }] of Object.entries(depends_on)) {
        const { healthcheck } = services[depended] ?? {};
        if (condition === 'service_healthy') assert.ok(healthcheck, `${name} waits for ${depended}`);
        else assert.equal(condition, 'service_completed_successfully');
      }
    }
  });

  it('runs the engine without rights, and makes nothing but the proxy reachable from other machines', () => {
    for (const [name, service] of engine) {
      assert.ok(service.read_only && service.cap_drop.includes('ALL'), name);
    }
    const published = Object.entries(services).flatMap(([name, { ports }]) =>
      ports.filter((port) => !port.startsWith('127.0.0.1:')).map(() => name),
    );
    assert.deepEqual([...new Set(published)], ['proxy']);
  });

  it('shows what asks for no password to a browser that names this machine, and to no page with a name of its own', () => {
    const rules = readFileSync('deploy/compose/caddy/Consoles', 'utf8');
    assert.match(rules, /@others not host localhost 127\.0\.0\.1\n\s*respond @others .* 421\n/);
    const sites = [...rules.matchAll(/^http:\/\/:(\d+) \{\n\timport local\n\treverse_proxy ([\w-]+):\d+\n\}/gm)];
    assert.equal(rules.match(/reverse_proxy/g)?.length, sites.length, 'a site without the rule');
    for (const name of ['temporal-ui', 'mailpit', 'prometheus']) {
      assert.deepEqual(services[name]?.ports, [], name);
      const [, port] = sites.find(([, , target]) => target === name) ?? [];
      assert.ok(
        services.consoles?.ports.some((published) => published.endsWith(`:${port}`)),
        name,
      );
    }
  });

  it('starts on a machine with one processor, and limits the memory of each service', () => {
    for (const [name, { deploy }] of Object.entries(services)) {
      assert.ok(deploy, name);
      // Docker refuses a container that may use more processors than the machine has.
      assert.ok(Number(deploy.resources.limits.cpus ?? 1) <= 1, name);
    }
  });

  it('keeps the secrets of an installation', async () => {
    const file = path.join(folder, 'all', 'secrets.json');
    const first = await provideComposeSecrets(file);
    assert.deepEqual(await provideComposeSecrets(file), first);
    assert.match(first.cardPublicKey, /^c1:/);
  });

  it('names an exact version of each image, because no digest is known here', () => {
    const compose = readFileSync('compose.yaml', 'utf8');
    const images = [...compose.matchAll(/^ +image: (\S+)$/gm)].map(([, image = '']) => image);
    assert.ok(images.length > 5);
    for (const image of images) assert.match(image, /[:-]v?\d+\.\d+(?:\.\d+)?(?:-alpine)?\}?$/, image);
  });
});

function isRead(setting: string, program: ProgramName): boolean {
  return variablesOf(program).some((name) => name === setting);
}

function onlyOf(program: ProgramName, settings: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => isRead(name, program)));
}

/** The text with what compose puts in place of variables that are not set: `${NAME:-default}`, also within a default. */
function withDefaults(text: string): string {
  const replaced = text.replaceAll(/\$\{\w+:-([^${}]*)\}/g, '$1');
  return replaced === text ? text : withDefaults(replaced);
}
