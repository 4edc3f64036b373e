import type { Express } from 'express';
import { z } from 'zod';

/** The paths at which routers are mounted, besides `/`. */
const MOUNT_POINTS = ['/api/v1', '/sdk/checkout/v1', '/policy-reports'];

const routeSchema = z.object({ path: z.string(), methods: z.record(z.string(), z.boolean()) });
/** A step of Express: a route, or a router with steps of its own. */
const layerSchema = z.object({
  route: routeSchema.optional(),
  handle: z.unknown(),
  match: z.custom<(path: string) => unknown>((value) => typeof value === 'function'),
});

const matchSchema = z.object({ pattern: z.string() });

/** `GET /api/v1/payment-intents/{id}` for every method of every path that the application takes, as it is mounted. */
export function mountedRoutes(app: Express): readonly string[] {
  return [...new Set(routesOf(app.router.stack, ''))].sort();
}

function routesOf(stack: readonly unknown[], prefix: string): string[] {
  return stack.flatMap((layer) => {
    const { route, handle } = layerSchema.parse(layer);
    if (route !== undefined)
      return methodsOf(route.methods).map((method) => `${method} ${prefix}${braced(route.path)}`);
    const inner = stepsOf(handle);
    return inner === undefined ? [] : routesOf(inner, prefix + mountPointOf(layer));
  });
}

/** The path of a router, which Express shows only by matching a path. */
function mountPointOf(layer: unknown): string {
  const { match } = layerSchema.parse(layer);
  const found = MOUNT_POINTS.map((path) => match.call(layer, path)).find((matched) => matched !== false);
  const { pattern } = matchSchema.parse(found);
  return pattern === '/' ? '' : pattern;
}

function stepsOf(handle: unknown): readonly unknown[] | undefined {
  const stack: unknown = typeof handle === 'function' ? Reflect.get(handle, 'stack') : undefined;
  return Array.isArray(stack) ? stack : undefined;
}

/** `all` is no method of the route. */
function methodsOf(methods: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(methods)
    .filter((method) => method !== '_all')
    .map((method) => method.toUpperCase());
}

function braced(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
