// Starts the API's background work: its heartbeat, the delivery of webhooks, and the jobs of jobs.ts.
import type { ApiContext } from '../context.ts';
import { startDelivery } from '../delivery/background.ts';
import { startPeers } from '../peers/peer-heartbeat.ts';
import { type BackgroundWork, startJobs } from './job.ts';
import { JOBS } from './jobs.ts';

export const startBackground = (context: ApiContext): Promise<BackgroundWork[]> =>
  Promise.all([startPeers(context), startDelivery(context), startJobs(JOBS, context)]);
