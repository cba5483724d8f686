// A GET that takes no parameters says so: an unknown one is 422, as on the routes that take some.
import type { RouteOptions } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../app.ts';
import { errorResponses } from '../envelope-schema.ts';

const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** Before the routes, and before what reads their schemas. */
export function refuseUnknownQueries(app: App): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const isRead = [route.method].flat().includes('GET') && route.url.startsWith('/api/v1/');
    const { schema } = route;
    if (!isRead || schema === undefined || schema.querystring !== undefined) return;
    const response = { ...errorResponses(422), ...(schema.response as object | undefined) };
    route.schema = { ...schema, querystring: NO_QUERY, response };
    // plugins/envelope.ts refuses what is unknown, so nothing is left to validate, and Ajv need not be loaded for it.
    if (schema.params === undefined) route.validatorCompiler = () => () => true;
  });
}
