// What an agent has beside the tools of every agent; in team files these keys stand in its backend block.
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import type { AgentTools, CustomToolConfig, UploadConfig } from '../run-config';
import { customTools } from './custom-tools';
import { textOrTexts } from './open-values';
import { integer } from './scalars';
import { field, type Fields } from './spec';
import { toolServers } from './tool-servers';
import { uploadFiles } from './upload-files';

export const toolFields = {
  mcp_servers: field(
    toolServers(),
    'Servers that bring the agent tools, as a list or by their names.',
  ),
  custom_tools: field(
    customTools(),
    'Functions of your own, each run as a confined program for each call.',
  ),
  allowed_tools: field(
    textOrTexts(),
    'Tools of its servers that the agent keeps, by their own names; absent: all. A list of the server itself counts instead.',
  ),
  exclude_tools: field(
    textOrTexts(),
    'Tools of its servers that the agent does not get, beside those that the server itself leaves out.',
  ),
  media_max_file_size_mb: field(
    integer({ minimum: 1 }),
    'Largest picture, sound or film in upload_files, in megabytes.',
    { defaultText: 'what fits into a request' },
  ),
  upload_files: field(
    uploadFiles(),
    'Files that are put before the model with the task, where it takes them.',
  ),
} satisfies Fields;

interface ToolValues {
  readonly mcp_servers?: readonly ToolServerConfig[] | undefined;
  readonly custom_tools?: readonly CustomToolConfig[] | undefined;
  readonly allowed_tools?: readonly string[] | undefined;
  readonly exclude_tools?: readonly string[] | undefined;
  readonly upload_files?: readonly UploadConfig[] | undefined;
  readonly media_max_file_size_mb?: number | undefined;
}

/** `undefined` when the agent has only what every agent has. */
export function toolsOf(values: ToolValues): AgentTools | undefined {
  const {
    mcp_servers: servers = [],
    custom_tools: custom = [],
    upload_files: uploads = [],
  } = values;
  const isEmpty = servers.length === 0 && custom.length === 0 && uploads.length === 0;
  return isEmpty
    ? undefined
    : {
        servers: servers.map((each) => limited(each, values)),
        custom,
        uploads: uploads.map((each) => upTo(values.media_max_file_size_mb, each)),
      };
}

/** Documents are not media. */
function upTo(megabytes: number | undefined, upload: UploadConfig): UploadConfig {
  return megabytes === undefined || upload.kind === 'document'
    ? upload
    : { ...upload, maxBytes: megabytes * 1_000_000 };
}

function limited(
  server: ToolServerConfig,
  { allowed_tools: allowed, exclude_tools: excluded = [] }: ToolValues,
): ToolServerConfig {
  const allowedTools = server.allowedTools ?? allowed;
  return {
    ...server,
    ...(allowedTools === undefined ? {} : { allowedTools }),
    excludedTools: [...new Set([...server.excludedTools, ...excluded])],
  };
}
