// /agents/:id/versions, /businesses/:id/versions and /tools/:id/versions.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { discardDrafts, listDrafts, publishDrafts } from './publish.ts';
import {
  AgainstQuery,
  DiscardedRecord,
  DraftRecord,
  PublishedRecord,
  SubjectParams,
  VersionParams,
  VersionQuery,
  VersionRecord,
  VersionWithContent,
} from './schema.ts';
import { listVersionRecords, readVersion, restoreVersion } from './service.ts';
import { SUBJECTS, type Subject } from './subjects.ts';

export function registerVersions(app: App, context: ApiContext): void {
  for (const subject of SUBJECTS) {
    const { name, path, tag, record } = subject;
    const tags = [tag];
    app.get(
      `${path}/:id/versions`,
      {
        schema: {
          tags,
          summary: `Versions of the ${name}, newest first, and what each has changed`,
          description:
            'Each change makes a version. The newest 200 are kept, or fewer where their texts are longer than 2,000,000 characters together.',
          params: SubjectParams,
          querystring: VersionQuery,
          response: { 200: okList(VersionRecord), ...errorResponses(401, 404, 422, 429) },
        },
      },
      (request) => listVersionRecords(context, subject, request.auth.accountId, request.params.id, request.query),
    );
    app.get(
      `${path}/:id/versions/:number`,
      {
        schema: {
          tags,
          summary: `One version of the ${name}, and what differs from another`,
          params: VersionParams,
          querystring: AgainstQuery,
          response: { 200: ok(VersionWithContent), ...errorResponses(401, 404, 422, 429) },
        },
      },
      async (request) => {
        const { params, query, auth } = request;
        return { data: await readVersion(context, subject, auth.accountId, placeOf(params), query.against) };
      },
    );
    app.post(
      `${path}/:id/versions/:number/restore`,
      {
        schema: {
          tags,
          summary: `Make the ${name} what it was in a version`,
          description:
            'The fields that differ are changed as by a PATCH, and a new version is made. Values of headers are in no version.',
          params: VersionParams,
          response: { 200: ok(record), ...errorResponses(400, 401, 404, 409, 422, 429) },
        },
      },
      async (request) => restoreVersion(context, subject, request.auth, placeOf(request.params)),
    );
    registerDrafts(app, context, subject);
  }
}

function registerDrafts(app: App, context: ApiContext, subject: Subject): void {
  const { name, path, tag } = subject;
  const tags = [tag];
  const whose = name === 'business' ? 'business, of the agents of its campaigns and of their tools' : name;
  app.get(
    `${path}/:id/draft`,
    {
      schema: {
        tags,
        summary: `Drafts of the ${whose}, each compared with what calls obey`,
        params: SubjectParams,
        response: { 200: ok(Type.Array(DraftRecord)), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await listDrafts(context, subject, request.auth.accountId, request.params.id) }),
  );
  app.post(
    `${path}/:id/publish`,
    {
      schema: {
        tags,
        summary: `Publish the drafts of the ${whose}: all of them, or none`,
        description: 'Calls obey them from the next one on.',
        params: SubjectParams,
        response: { 200: ok(Type.Array(PublishedRecord)), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    (request) => publishDrafts(context, subject, request.auth, request.params.id),
  );
  app.post(
    `${path}/:id/discard`,
    {
      schema: {
        tags,
        summary: `Discard the drafts of the ${whose}`,
        description: 'Their versions stay in the lists, and can be brought back.',
        params: SubjectParams,
        response: { 200: ok(Type.Array(DiscardedRecord)), ...errorResponses(400, 401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await discardDrafts(context, subject, request.auth, request.params.id) }),
  );
}

/** A text that is no number names a version that is not there. */
const placeOf = ({ id, number }: { id: string; number: string }) => ({
  id,
  number: /^[1-9]\d{0,8}$/.test(number) ? Number(number) : 0,
});
