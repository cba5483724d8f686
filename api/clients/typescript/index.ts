// The entry of the package: all that its users import.
export { ApiError, type ClientErrorCode } from './api-error.ts';
export type { CallStreamEvent } from './call-stream.ts';
export { type Client, createClient } from './client.ts';
export { Listing, type Page } from './listing.ts';
export { LiveCall } from './live-call.ts';
export type * from './operations.ts';
export type { ClientOptions, RequestOptions } from './transport.ts';
export type * from './types.ts';
export { type VerifyOptions, verifyWebhook, WebhookError, type WebhookHeaders, type WebhookProbe } from './webhooks.ts';
