// Refuses unknown query parameters with 422 on GET routes without parameters, as on routes with parameters.
import type { RouteOptions } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../frame/app.ts';
import { errorResponses } from '../frame/envelope-schema.ts';

const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** Call it before the routes and before the plugins that read their schemas. */
export function refuseUnknownQueries(app: App): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const isRead = [route.method].flat().includes('GET') && route.url.startsWith('/api/v1/');
    const { schema } = route;
    if (!isRead || schema === undefined || schema.querystring !== undefined) return;
    const response = { ...errorResponses(422), ...(schema.response as object | undefined) };
    route.schema = { ...schema, querystring: NO_QUERY, response };
    // plugins/envelope.ts refuses unknown parameters, so no validation is left, and Ajv need not be loaded for it.
    if (schema.params === undefined) route.validatorCompiler = () => () => true;
  });
}
