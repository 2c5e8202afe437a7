// Models of the services in `services.ts`, as of November 2026: US dollars per million tokens, standard tier.
import type { CatalogModel } from '../../core/ports/backend-kind';

/** Day on which the rows were last compared with their sources. */
export const modelsDate = '2026-11-30';

const modelsDev = 'models.dev, July 2026';

export const deepseekModels: readonly CatalogModel[] = [
  {
    ...{ id: 'deepseek-v4-pro', family: 'deepseek', source: modelsDev },
    ...{ contextWindowTokens: 1_000_000, maxOutputTokens: 384_000 },
    price: { inputUsd: 0.435, cachedInputUsd: 0.0036, outputUsd: 0.87 },
  },
  {
    ...{ id: 'deepseek-v4-flash', family: 'deepseek', source: modelsDev },
    ...{ contextWindowTokens: 1_000_000, maxOutputTokens: 384_000 },
    price: { inputUsd: 0.14, cachedInputUsd: 0.0028, outputUsd: 0.28 },
  },
];

export const moonshotModels: readonly CatalogModel[] = [
  {
    ...{ id: 'kimi-k2.7-code', family: 'kimi', source: modelsDev, contextWindowTokens: 262_000 },
    price: { inputUsd: 0.95, cachedInputUsd: 0.19, outputUsd: 4 },
  },
  {
    ...{ id: 'kimi-k2.6', family: 'kimi', source: modelsDev, contextWindowTokens: 262_000 },
    price: { inputUsd: 0.95, cachedInputUsd: 0.16, outputUsd: 4 },
  },
];

export const zaiModels: readonly CatalogModel[] = [
  {
    ...{ id: 'glm-5.2', family: 'glm', source: modelsDev },
    price: { inputUsd: 1.4, cachedInputUsd: 0.26, outputUsd: 4.4 },
  },
  {
    ...{ id: 'glm-5', family: 'glm', source: modelsDev },
    price: { inputUsd: 1, cachedInputUsd: 0.2, outputUsd: 3.2 },
  },
  {
    ...{ id: 'glm-4.7', family: 'glm', source: modelsDev, contextWindowTokens: 205_000 },
    price: { inputUsd: 0.6, cachedInputUsd: 0.11, outputUsd: 2.2 },
  },
];

export const qwenModels: readonly CatalogModel[] = [
  {
    ...{ id: 'qwen3.7-max', family: 'qwen', source: modelsDev },
    ...{ contextWindowTokens: 1_000_000, maxOutputTokens: 65_000 },
    price: { inputUsd: 2.5, cachedInputUsd: 0.5, cacheWriteUsd: 3.125, outputUsd: 7.5 },
  },
  {
    ...{ id: 'qwen3.7-plus', family: 'qwen', source: modelsDev },
    ...{ contextWindowTokens: 1_000_000, maxOutputTokens: 65_000 },
    price: { inputUsd: 0.5, cachedInputUsd: 0.05, cacheWriteUsd: 0.625, outputUsd: 3 },
  },
];

/** No price of cached input is known there, so that it is counted like other input. */
export const mistralModels: readonly CatalogModel[] = [
  {
    ...{ id: 'mistral-large-2512', family: 'mistral', source: modelsDev },
    contextWindowTokens: 262_000,
    price: { inputUsd: 0.5, cachedInputUsd: 0.5, outputUsd: 1.5 },
  },
  {
    ...{ id: 'devstral-2512', family: 'mistral', source: modelsDev },
    contextWindowTokens: 262_000,
    price: { inputUsd: 0.4, cachedInputUsd: 0.4, outputUsd: 2 },
  },
];
