// All words of the dashboard in Italian, which are loaded at once.
import access from './access.ts';
import administration from './administration.ts';
import agents from './agents.ts';
import alerts from './alerts.ts';
import appointments from './appointments.ts';
import business from './business.ts';
import calendars from './calendars.ts';
import calls from './calls.ts';
import campaigns from './campaigns.ts';
import costs from './costs.ts';
import faults from './faults.ts';
import forms from './forms.ts';
import models from './models.ts';
import numbers from './numbers.ts';
import outcomes from './outcomes.ts';
import outlook from './outlook.ts';
import overview from './overview.ts';
import programs from './programs.ts';
import routing from './routing.ts';
import settings from './settings.ts';
import shell from './shell.ts';
import tests from './tests.ts';
import tools from './tools.ts';
import trunks from './trunks.ts';
import websites from './websites.ts';

export default {
  ...access,
  ...administration,
  ...agents,
  ...alerts,
  ...appointments,
  ...business,
  ...calendars,
  ...calls,
  ...campaigns,
  ...costs,
  ...faults,
  ...forms,
  ...models,
  ...numbers,
  ...outcomes,
  ...outlook,
  ...overview,
  ...programs,
  ...routing,
  ...settings,
  ...shell,
  ...tests,
  ...tools,
  ...trunks,
  ...websites,
};
