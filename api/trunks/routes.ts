// /admin/trunks: the SIP trunks of the installation, with registration and health.

import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { ReadInvite, TRUNK_READ_ONLY, Trunk, TrunkBody, TrunkParams, TrunkPatch } from './schema.ts';
import { addTrunk, changeTrunk, readInvitesOf, removeTrunk, trunk, trunks } from './service.ts';

const tags = ['Administration'];

export function registerTrunks(app: App, context: ApiContext): void {
  app.get(
    '/admin/trunks',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'SIP trunks, with registration and health',
        querystring: PageQuery,
        response: { 200: okList(Trunk), ...errorResponses(401, 403, 422, 429) },
      },
    },
    (request) => trunks(context, request.query),
  );

  app.get(
    '/admin/trunks/:id',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'One trunk',
        params: TrunkParams,
        response: { 200: ok(Trunk), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await trunk(context, request.params.id) }),
  );

  app.get(
    '/admin/trunks/:id/invites',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'How the numbers of its last ten INVITEs were read, the newest first',
        params: TrunkParams,
        response: { 200: ok(Type.Array(ReadInvite)), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await readInvitesOf(context, request.params.id) }),
  );

  app.post(
    '/admin/trunks',
    {
      config: { admin: true, readOnlyFields: TRUNK_READ_ONLY },
      schema: {
        tags,
        summary: 'Add a trunk; name and host are enough',
        body: TrunkBody,
        response: { 201: ok(Trunk), ...errorResponses(400, 401, 403, 422, 429) },
      },
    },
    async (request, reply) => reply.code(201).send({ data: await addTrunk(context, request.body) }),
  );

  app.patch(
    '/admin/trunks/:id',
    {
      config: { admin: true, readOnlyFields: TRUNK_READ_ONLY },
      schema: {
        tags,
        summary: 'Change a trunk; new credentials register at once',
        params: TrunkParams,
        body: TrunkPatch,
        response: { 200: ok(Trunk), ...errorResponses(400, 401, 403, 404, 422, 429) },
      },
    },
    async (request) => ({ data: await changeTrunk(context, request.params.id, request.body) }),
  );

  app.delete(
    '/admin/trunks/:id',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Take a trunk out of service; it is unregistered',
        params: TrunkParams,
        response: { 200: ok(Trunk), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await removeTrunk(context, request.params.id) }),
  );
}
