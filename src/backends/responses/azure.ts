// Where a resource at Azure is, and which of its two methods is used.
import { MassGenError } from '../../core/errors';
import type { BackendSettings } from '../../core/ports/backend-kind';
import { type Endpoint, endpointAt } from '../wire/endpoint';

/** Variables of the process; an address never comes from a file of the workspace without being written in the block. */
export type Environment = Readonly<Record<string, string | undefined>>;

const method = '/responses';
const variable = 'AZURE_OPENAI_ENDPOINT';

/**
 * The present address of the resource, `…/openai/v1`, however the block or the variable writes it. Throws
 * `config/invalid` when there is none.
 */
export function azureEndpoint(settings: BackendSettings, environment: Environment): Endpoint {
  const { azure_endpoint: azure, base_url: base } = settings.options;
  const written = [azure, base, environment[variable]].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  );
  if (typeof written !== 'string') {
    throw new MassGenError('config/invalid', 'The block of azure_openai has no address.', {
      hint: 'Write the address of your resource: azure_endpoint: https://NAME.openai.azure.com',
    });
  }
  const options = { ...settings.options, base_url: written.trim() };
  const { baseUrl } = endpointAt({ ...settings, options }, '', method);
  const resource = baseUrl.replace(
    /\/openai(\/v1)?(\/(responses|chat\/completions)|\/deployments\/.*)?$/,
    '',
  );
  return endpointAt({ ...settings, options: { base_url: `${resource}/openai/v1` } }, '', method);
}

/** `protocol: chat` is for deployments of models that have no responses. */
export function speaksChat({ options }: BackendSettings): boolean {
  return options['protocol'] === 'chat';
}

/** The version that the present address takes; dated ones belong to the older addresses, which are not used. */
export function azureQuery({ options }: BackendSettings): Readonly<Record<string, string>> {
  const version = options['api_version'];
  return typeof version === 'string' && !isDated(version) ? { 'api-version': version } : {};
}

/** The dated version that is written but not sent. */
export function unusedVersion({ options }: BackendSettings): string | undefined {
  const version = options['api_version'];
  return typeof version === 'string' && isDated(version) ? version : undefined;
}

function isDated(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(version);
}
