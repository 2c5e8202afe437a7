import * as vscode from 'vscode';
import type { ConfigProblem } from '../../app/app-contract';

/** A problem of a team file in the editor; keeps the likely spelling for the quick fix. */
export class TeamDiagnostic extends vscode.Diagnostic {
  /** Kept for its fixes. */
  readonly problem: ConfigProblem;

  constructor(problem: ConfigProblem, uri: vscode.Uri) {
    super(
      rangeOf(problem),
      problem.message,
      problem.severity === 'error'
        ? vscode.DiagnosticSeverity.Error
        : vscode.DiagnosticSeverity.Warning,
    );
    this.source = 'MassGen';
    this.code = problem.code;
    this.problem = problem;
    this.relatedInformation = (problem.related ?? []).map(
      (place) =>
        new vscode.DiagnosticRelatedInformation(
          new vscode.Location(uri, rangeOf(place)),
          place.message,
        ),
    );
  }
}

type Place = Pick<ConfigProblem, 'line' | 'column' | 'endLine' | 'endColumn'>;

function rangeOf({ line, column, endLine, endColumn }: Place): vscode.Range {
  return new vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1);
}
