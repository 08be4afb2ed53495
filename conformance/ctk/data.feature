Feature: What tasks know of each other

  Scenario: What was exported is known until something else is
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: export, version: '1.0.0' }
      do:
        - name:
            set: { name: ann }
            export: { as: '{ who: .name }' }
        - inside:
            do:
              - age:
                  set: { age: 41 }
                  export: { as: '$context + .' }
        - told:
            set: '${ $context }'
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      who: ann
      age: 41
      """

  Scenario: What does not fit its schema is no input
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: schema, version: '1.0.0' }
      input:
        schema:
          document: { type: object, required: [name] }
      do:
        - greet:
            set: { greeting: '${ "Hello " + .name }' }
      """
    And given the workflow input is:
      """yaml
      age: 41
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      """

  Scenario: Who asks a skipped task is told nothing new
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: skipped, version: '1.0.0' }
      do:
        - first:
            set: { n: 1 }
        - never:
            if: .n > 1
            set: { n: 2 }
            then: end
        - last:
            set: { n: '${ .n + 10 }' }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 11
      """
    And first should run first
    And last should run after first

  Scenario: A function is called with its arguments
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: function, version: '1.0.0' }
      use:
        functions:
          greet:
            input:
              schema:
                document: { type: object, required: [name] }
            set: { greeting: '${ "Hello " + .name }' }
      do:
        - hello:
            call: greet
            with: { name: '${ .who }' }
            output: { as: .greeting }
      """
    And given the workflow input is:
      """yaml
      who: ann
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      Hello ann
      """
    And hello should complete with output:
      """yaml
      Hello ann
      """
