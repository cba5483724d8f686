// /agents/:id/versions, /businesses/:id/versions and /tools/:id/versions.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, nullable, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { listCanaryRecords, stopCanaryOf } from './canaries.ts';
import { discardDrafts, listDrafts, publishDrafts, publishToCanary } from './publish.ts';
import {
  AgainstQuery,
  CanaryRecord,
  DiscardedRecord,
  DraftRecord,
  PublishBody,
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
    if (name !== 'tool') registerCanaries(app, context, subject);
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
  const publishing = {
    tags,
    summary: `Publish the drafts of the ${whose}: all of them, or none`,
    params: SubjectParams,
    response: { 200: ok(Type.Array(PublishedRecord)), ...errorResponses(400, 401, 404, 409, 422, 429) },
  };
  if (name === 'tool')
    app.post(
      `${path}/:id/publish`,
      { schema: { ...publishing, description: 'Calls obey them from the next one on.' } },
      (request) => publishDrafts(context, subject, request.auth, request.params.id),
    );
  else
    app.post(
      `${path}/:id/publish`,
      {
        schema: {
          ...publishing,
          description: `Calls obey them from the next one on. With \`canary\` the draft of the ${name} itself leads a share of the calls first.`,
          body: nullable(PublishBody),
        },
      },
      (request) => {
        const { auth, params, body } = request;
        const wish = body?.canary;
        if (wish === undefined) return publishDrafts(context, subject, auth, params.id);
        return publishToCanary(context, subject, auth, params.id, wish);
      },
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

/** Of subjects whose versions calls name. */
function registerCanaries(app: App, context: ApiContext, subject: Subject): void {
  const { name, path, tag } = subject;
  const tags = [tag];
  app.get(
    `${path}/:id/canaries`,
    {
      schema: {
        tags,
        summary: `Versions of the ${name} that led a share of the calls first, newest first`,
        params: SubjectParams,
        querystring: PageQuery,
        response: { 200: okList(CanaryRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    (request) => listCanaryRecords(context, subject, request.auth.accountId, request.params.id, request.query),
  );
  app.post(
    `${path}/:id/canary/stop`,
    {
      schema: {
        tags,
        summary: `Stop the canary of the ${name}: all calls obey the published version again`,
        description: 'Its draft stays.',
        params: SubjectParams,
        response: { 200: ok(CanaryRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await stopCanaryOf(context, subject, request.auth.accountId, request.params.id) }),
  );
}
