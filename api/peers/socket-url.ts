// The address of a WebSocket at the engine that has a call; its token is in it, since browsers give no headers.
import { withoutTrailingSlashes } from '../../db/shared/net/base-url.ts';

export const socketUrlOf = (mediaWsUrl: string, path: string, token: string): string =>
  `${withoutTrailingSlashes(mediaWsUrl)}${path}?token=${token}`;
