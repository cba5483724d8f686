// The environments that APP_ENV tells apart. Tokens belong to one of them.

export const APP_ENVS = ['production', 'staging', 'development'] as const;
export type AppEnv = (typeof APP_ENVS)[number];
