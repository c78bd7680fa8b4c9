// All commands. Their modules are loaded when they are used, so that `kiln --version` and `kiln --help` start at once.
import type { Define } from './context.js';

export interface Entry {
  name: string;
  summary: string;
  load: () => Promise<{ define: Define }>;
}

export interface Group {
  name: string;
  summary: string;
  commands: readonly Entry[];
}

export type Listed = Entry | Group;

export const isGroup = (listed: Listed): listed is Group => 'commands' in listed;

export const catalog: readonly Listed[] = [
  { name: 'login', summary: 'save an address and a key', load: () => import('./commands/profiles/login.js') },
  { name: 'logout', summary: 'remove a saved key', load: () => import('./commands/profiles/logout.js') },
  {
    name: 'config',
    summary: 'show settings, choose a profile',
    commands: [
      { name: 'show', summary: 'show settings and their sources', load: () => import('./commands/config/show.js') },
      { name: 'use', summary: 'choose the profile to use', load: () => import('./commands/config/use.js') },
    ],
  },
  { name: 'up', summary: 'upload files and folders', load: () => import('./commands/files/up.js') },
  { name: 'ls', summary: 'list files', load: () => import('./commands/files/ls.js') },
  { name: 'get', summary: 'show or download a file, or read a variant', load: () => import('./commands/files/get.js') },
  { name: 'rm', summary: 'delete files', load: () => import('./commands/files/rm.js') },
  { name: 'chunks', summary: 'list the chunks of a file', load: () => import('./commands/files/chunks.js') },
  { name: 'search', summary: 'search the content of files', load: () => import('./commands/search/search.js') },
  { name: 'ask', summary: 'answer a question from files', load: () => import('./commands/search/ask.js') },
  { name: 'watch', summary: 'follow events, or a file to its end', load: () => import('./commands/events/watch.js') },
  {
    name: 'jobs',
    summary: 'list, show, retry and cancel jobs',
    commands: [
      { name: 'ls', summary: 'list jobs', load: () => import('./commands/jobs/ls.js') },
      { name: 'get', summary: 'show a job with its timeline', load: () => import('./commands/jobs/get.js') },
      { name: 'retry', summary: 'retry a failed job', load: () => import('./commands/jobs/retry.js') },
      { name: 'cancel', summary: 'cancel a job', load: () => import('./commands/jobs/cancel.js') },
    ],
  },
  {
    name: 'connections',
    summary: 'connect buckets and sync them',
    commands: [
      { name: 'ls', summary: 'list connections', load: () => import('./commands/connections/ls.js') },
      { name: 'add', summary: 'connect a bucket, with guidance', load: () => import('./commands/connections/add.js') },
      { name: 'sync', summary: 'sync a connection', load: () => import('./commands/connections/sync.js') },
      { name: 'rm', summary: 'delete a connection', load: () => import('./commands/connections/rm.js') },
    ],
  },
  {
    name: 'webhooks',
    summary: 'create, list and delete webhooks',
    commands: [
      { name: 'ls', summary: 'list webhooks', load: () => import('./commands/webhooks/ls.js') },
      { name: 'create', summary: 'create a webhook', load: () => import('./commands/webhooks/create.js') },
      { name: 'rm', summary: 'delete a webhook', load: () => import('./commands/webhooks/rm.js') },
      { name: 'listen', summary: 'forward events to a URL', load: () => import('./commands/webhooks/listen.js') },
    ],
  },
  {
    name: 'keys',
    summary: 'list, create and revoke API keys',
    commands: [
      { name: 'ls', summary: 'list API keys', load: () => import('./commands/keys/ls.js') },
      { name: 'create', summary: 'create an API key', load: () => import('./commands/keys/create.js') },
      { name: 'rm', summary: 'revoke an API key', load: () => import('./commands/keys/rm.js') },
    ],
  },
  { name: 'usage', summary: 'show the pages of this month', load: () => import('./commands/usage/usage.js') },
  { name: 'open', summary: 'open the console in a browser', load: () => import('./commands/console/open.js') },
  { name: 'complete', summary: 'print a completion script', load: () => import('./commands/config/complete.js') },
];
