// Compiles a route's validators and serialisers when they are first used. Compiling all of them takes half of the API's
// start-up time; instead, the first request to each route pays some milliseconds.
//
// A validator comes in two: one that stops at the first fault, and one that finds all of them, which runs only over
// what has failed already and is small enough. Ajv makes an object of each fault, and a hostile body has a hundred
// thousand.
import { createRequire } from 'node:module';

type Run = ((data: unknown) => unknown) & { errors?: unknown };
/** What fastify hands a compiler: the schema, and where it is used. */
type Compile = (route: unknown) => Run;
type BuildCompiler = (externalSchemas: unknown, options: unknown) => Compile;

/** Keys and items of a body whose faults are all looked for, some 3 µs each; contacts are at most 1,000 a request. */
const NODES_MAX = 20_000;

/** fastify's own compilers, found from where fastify itself stands. */
const fastifyRequire = createRequire(createRequire(import.meta.url).resolve('fastify'));

export const lazyCompilers = {
  buildValidator: ((externalSchemas, options) => {
    const first = lazily('@fastify/ajv-compiler')(externalSchemas, withAllErrors(options, false));
    const all = lazily('@fastify/ajv-compiler')(externalSchemas, withAllErrors(options, true));
    return (route) => inTwoSteps(first(route), all(route));
  }) as BuildCompiler,
  buildSerializer: lazily('@fastify/fast-json-stringify-compiler'),
};

function lazily(name: string): BuildCompiler {
  return (externalSchemas, options) => {
    let compile: Compile | null = null;
    return (route) => {
      let run: Run | null = null;
      const lazy: Run = (data) => {
        if (run === null) {
          compile ??= (fastifyRequire(name) as () => BuildCompiler)()(externalSchemas, options);
          run = compile(route);
        }
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
