// Compiles a route's validators and serialisers when they are first used. Compiling all of them takes half of the API's
// start-up time; instead, the first request to each route pays some milliseconds.
import { createRequire } from 'node:module';

type Run = ((data: unknown) => unknown) & { errors?: unknown };
/** What fastify hands a compiler: the schema, and where it is used. */
type Compile = (route: unknown) => Run;
type BuildCompiler = (externalSchemas: unknown, options: unknown) => Compile;

/** fastify's own compilers, found from where fastify itself stands. */
const fastifyRequire = createRequire(createRequire(import.meta.url).resolve('fastify'));

export const lazyCompilers = {
  buildValidator: lazily('@fastify/ajv-compiler'),
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
