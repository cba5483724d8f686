// Compiles a route's validators and serialisers at their first use. Compiling all of them takes half of the API's
// start-up time; instead, the first request to each route takes some milliseconds longer.
//
// There are two validators: one stops at the first fault; the other finds all faults and runs only over a failed body
// that is small enough. Ajv creates an object for each fault, and a hostile body may have a hundred thousand.
import { createRequire } from 'node:module';

type Run = ((data: unknown) => unknown) & { errors?: unknown };
/** fastify calls it with the schema and its place of use. */
type Compile = (route: { schema: unknown }) => Run;
type BuildCompiler = (externalSchemas: unknown, options: unknown) => Compile;

/**
 * Largest body, in keys and items, whose faults are all searched, about 3 µs each; a request has at most 1,000
 * contacts.
 */
const NODES_MAX = 20_000;

/** Resolves fastify's own compilers from fastify's folder. */
const fastifyRequire = createRequire(createRequire(import.meta.url).resolve('fastify'));

const validators = lazily('@fastify/ajv-compiler');

export const lazyCompilers = {
  buildValidator: ((externalSchemas, options) => {
    const first = validators(externalSchemas, withAllErrors(options, false));
    const all = validators(externalSchemas, withAllErrors(options, true));
    return (route) => inTwoSteps(first(route), all(route));
  }) as BuildCompiler,
  buildSerializer: lazily('@fastify/fast-json-stringify-compiler'),
};

function lazily(name: string): BuildCompiler {
  let build: BuildCompiler | null = null;
  // Many routes have the same answers to errors and the same parameters, and tests start many servers in a process.
  const compiled = new Map<string, Run>();
  return (externalSchemas, options) => {
    let compile: Compile | null = null;
    let server: string | null = null;
    return (route) => {
      let run: Run | null = null;
      const compileOnce = (): Run => {
        server ??= JSON.stringify([externalSchemas, options]);
        const key = JSON.stringify(route.schema) + server;
        const known = compiled.get(key);
        if (known !== undefined) return known;
        build ??= (fastifyRequire(name) as () => BuildCompiler)();
        compile ??= build(externalSchemas, options);
        const made = compile(route);
        compiled.set(key, made);
        return made;
      };
      const lazy: Run = (data) => {
        run ??= compileOnce();
        const result = run(data);
        lazy.errors = run.errors;
        return result;
      };
      return lazy;
    };
  };
}

function withAllErrors(options: unknown, allErrors: boolean): unknown {
  const { customOptions, ...rest } = options as { customOptions?: object };
  return { ...rest, customOptions: { ...customOptions, allErrors } };
}

function inTwoSteps(first: Run, all: Run): Run {
  const validate: Run = (data) => {
    let result = first(data);
    validate.errors = first.errors;
    if (result === false && isSmall(data)) {
      result = all(data);
      validate.errors = all.errors;
    }
    return result;
  };
  return validate;
}

/** Whether JSON data has at most NODES_MAX keys and items; stops counting there. */
function isSmall(data: unknown): boolean {
  const open: unknown[] = [data];
  let nodes = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (value === null || typeof value !== 'object') continue;
    for (const key in value) {
      if (++nodes > NODES_MAX) return false;
      open.push((value as Record<string, unknown>)[key]);
    }
  }
  return true;
}
