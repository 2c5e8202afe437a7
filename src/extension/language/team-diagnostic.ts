import * as vscode from 'vscode';
import type { ConfigProblem } from '../../app/app-contract';

/** A problem of a team file in the editor; keeps the likely spelling for the quick fix. */
export class TeamDiagnostic extends vscode.Diagnostic {
  /** Kept for its fixes. */
  readonly problem: ConfigProblem;

  constructor(problem: ConfigProblem) {
    super(
      new vscode.Range(
        problem.line - 1,
        problem.column - 1,
        problem.endLine - 1,
        problem.endColumn - 1,
      ),
      problem.message,
      problem.severity === 'error'
        ? vscode.DiagnosticSeverity.Error
        : vscode.DiagnosticSeverity.Warning,
    );
    this.source = 'MassGen';
    this.code = problem.code;
    this.problem = problem;
  }
}
