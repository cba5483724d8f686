// All words of the dashboard in Italian, which are loaded at once.
import access from './access.ts';
import agents from './agents.ts';
import appointments from './appointments.ts';
import business from './business.ts';
import calendars from './calendars.ts';
import calls from './calls.ts';
import campaigns from './campaigns.ts';
import forms from './forms.ts';
import numbers from './numbers.ts';
import outcomes from './outcomes.ts';
import overview from './overview.ts';
import routing from './routing.ts';
import settings from './settings.ts';
import shell from './shell.ts';

export default {
  ...access,
  ...agents,
  ...appointments,
  ...business,
  ...calendars,
  ...calls,
  ...campaigns,
  ...forms,
  ...numbers,
  ...outcomes,
  ...overview,
  ...routing,
  ...settings,
  ...shell,
};
